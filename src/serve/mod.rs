//! The program on a page: `grapeshot serve`.
//!
//! A player at the table has a phone and thirty seconds. The form of a question comes from the schema of its
//! procedure, the answer from the same [`Question`](grapeshot_rules::Question) and documents as on the command
//! line, the address from the settings: the page computes nothing of its own. It works without scripts; with
//! them the answer follows every tap.
//!
//! [`routes`] says who answers what. Every answer is worked out on a thread of its own, behind a [`limits`]
//! gate; what was worked out is kept within a bound ([`cache`]), and connections have a clock
//! ([`connection`]). Nothing is read or written but what was given at the start.

mod address;
mod answer;
mod api;
mod ask;
mod assets;
mod audits;
mod books;
mod cache;
mod chart;
mod connection;
mod decide;
mod elsewhere;
mod field;
mod form;
mod help;
mod house;
mod hundred;
mod limits;
mod link;
mod luck;
mod reply;
mod routes;
mod server;
mod share;
mod shell;

use axum::Router;
use axum::response::{IntoResponse, Response};
use connection::{Door, Peer};
use grapeshot_rules::file::Limits;
use grapeshot_rules::{Registry, RuleError, Ruleset, Variant};
use reply::Reply;
use server::Server;
use std::any::Any;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::limit::RequestBodyLimitLayer;

/// What the page is started with.
#[derive(Debug)]
pub struct Serving {
    /// Where it listens.
    pub addr: SocketAddr,
    /// Whether a browser is opened.
    pub open: bool,
    /// Whether pages of other sites may ask for data.
    pub cors: bool,
    /// Rulesets beside those that are part of the program.
    pub rulesets: Vec<Ruleset>,
    /// Variants laid over them.
    pub variants: Vec<Variant>,
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

/// Names that stand for something else in an address.
const TAKEN: [&str; 3] = ["api", "assets", "studies"];

/// The rulesets of the program, and these.
fn known(rulesets: Vec<Ruleset>) -> Result<Registry, RuleError> {
    let mut all: Vec<Ruleset> = Vec::new();
    all.extend(Registry::built_in().printed().map(|r| Ruleset::clone(r)));
    for ruleset in rulesets {
        let same = |known: &Ruleset| known.id == ruleset.id;
        let common = *ruleset.id == *grapeshot_rules::common::ID;
        if common || all.iter().any(same) || TAKEN.contains(&&*ruleset.id) {
            let id = &ruleset.id;
            let problem = format!("`{id}` is taken: a ruleset of one's own needs another id");
            return Err(RuleError::Other(problem));
        }
        all.push(ruleset);
    }
    Ok(Registry::new(all))
}

/// How rule scripts are held while strangers ask.
pub fn script_limits() -> Limits {
    Limits {
        operations: 100_000,
        runs: 2_000_000,
        ..Limits::default()
    }
}

/// How long answers that are being written may take to end.
const FAREWELL: Duration = Duration::from_secs(3);

/// Serves the page until it is interrupted.
///
/// # Errors
/// If a variant does not fit, or the address cannot be listened on.
pub fn serve(serving: Serving) -> Result<(), ServeError> {
    let registry = known(serving.rulesets)?;
    let server = Server::new(&registry, serving.variants, serving.cors)?;
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
        .fallback(routes::visit)
        .with_state(server)
        .layer(RequestBodyLimitLayer::new(limits::BODY))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(axum::middleware::map_response(reply::guarded))
}

fn panicked(_: Box<dyn Any + Send + 'static>) -> Response {
    Reply::failed().into_response()
}
