//! The program on a page: `grapeshot serve`.
//!
//! The page itself is [`grapeshot_page`]; here it is put on a network. Every answer is worked out on a thread of its
//! own, behind a [`gate`], and connections have a clock ([`connection`]). Nothing is read or written but what was
//! given at the start.

mod address;
mod connection;
mod gate;
mod host;
mod lane;
mod room;
mod visit;

use axum::Router;
use axum::response::Response;
use connection::{Door, Peer};
use gate::Gate;
use grapeshot_page::{Job, Pages, Reply};
use grapeshot_rules::{RuleError, Ruleset, Variant};
use host::Hosts;
use std::any::Any;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::limit::RequestBodyLimitLayer;
use visit::Server;

/// What the page is started with.
#[derive(Debug)]
pub struct Serving {
    /// Where it listens.
    pub addr: SocketAddr,
    /// Whether a browser is opened.
    pub open: bool,
    /// Whether pages of other sites may ask for data.
    pub cors: bool,
    /// Names of this machine to which the page answers besides its address.
    pub hosts: Vec<String>,
    /// Rulesets beside those that are part of the program.
    pub rulesets: Vec<Ruleset>,
    /// Variants laid over them.
    pub variants: Vec<Variant>,
    /// Rosters whose units stand at hand: files and their texts.
    pub rosters: Vec<(String, String)>,
}

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// A ruleset or variant that does not fit.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// An address that cannot be listened on.
    #[error("--addr {addr}: {error}")]
    Address {
        /// The address.
        addr: SocketAddr,
        /// Why.
        error: io::Error,
    },
    /// Anything else the system refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// How long answers that are being written may take to end.
const FAREWELL: Duration = Duration::from_secs(3);

/// Serves the page until it is interrupted.
///
/// # Errors
/// If a variant does not fit, or the address cannot be listened on.
pub fn serve(serving: Serving) -> Result<(), ServeError> {
    let mut pages = Pages::new(serving.rulesets, serving.variants, |job: Job| {
        std::thread::spawn(job);
    })?
    .with_instruments();
    for (file, text) in &serving.rosters {
        pages.muster(file, text)?;
    }
    let gate = Gate::new().map_err(io::Error::other)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let addr = serving.addr;
    let ended = runtime.block_on(async {
        let listener = TcpListener::bind(addr).await;
        let listener = listener.map_err(|error| ServeError::Address { addr, error })?;
        let listening = listener.local_addr()?;
        print!("{}", address::greeting(listening));
        io::stdout().flush()?;
        if serving.open
            && let Err(problem) = address::open(listening)
        {
            eprintln!("{problem}");
        }
        let hosts = Hosts::new(listening, serving.hosts);
        let server = Server::new(pages, gate, hosts, serving.cors);
        let app = router(Arc::new(server)).into_make_service_with_connect_info::<Peer>();
        let running = axum::serve(Door::new(listener), app);
        let (told, mut over) = tokio::sync::watch::channel(false);
        let running = running.with_graceful_shutdown(async move {
            interrupted().await;
            let _ = told.send(true);
        });
        tokio::select! {
            ended = running => ended?,
            () = async {
                let _ = over.wait_for(|over| *over).await;
                tokio::time::sleep(FAREWELL).await;
            } => {}
        }
        Ok(())
    });
    // What is still worked on is not waited for.
    runtime.shutdown_background();
    ended
}

/// Ctrl-C, or the system's wish that it ends.
async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminated) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminated.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}

/// Everything that is answered, and what stands around it.
fn router(server: Arc<Server>) -> Router {
    Router::new()
        .fallback(visit::visit)
        .with_state(server)
        .layer(RequestBodyLimitLayer::new(grapeshot_page::BODY))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(axum::middleware::map_response(visit::guarded))
}

fn panicked(_: Box<dyn Any + Send + 'static>) -> Response {
    let failed = Reply::failed();
    visit::response(&failed, failed.body.clone().into())
}
