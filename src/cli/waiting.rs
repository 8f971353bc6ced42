//! What a terminal shows while a command works for longer than a second: what is being done, how far it is, and what it comes
//! to so far.

use super::terminal::typed;
use grapeshot_engine::engine::{Stop, Watch, Work};
use grapeshot_rules::Options;
use grapeshot_study::wording::grouped;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What is quicker is not told of.
const QUICK: Duration = Duration::from_secs(1);
/// How often the line is made anew.
const EVERY: Duration = Duration::from_millis(100);

/// What the answer comes to so far, in words.
#[derive(Debug, Clone, Default)]
pub(super) struct SoFar(Arc<Mutex<String>>);

impl SoFar {
    pub(super) fn say(&self, text: String) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = text;
    }

    fn said(&self) -> String {
        let said = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        said.clone()
    }
}

/// Does a command's work on its threads.
pub(super) fn waiting<T: Send>(options: &Options, job: impl FnOnce() -> T + Send) -> T {
    let job = |_: &Watch| job();
    waiting_for(options, Watch::default(), &SoFar::default(), job)
}

/// The same with a watch of one's own, and something that is said of the answer while it grows.
pub(super) fn waiting_for<T: Send>(
    options: &Options,
    watch: Watch,
    so_far: &SoFar,
    job: impl FnOnce(&Watch) -> T + Send,
) -> T {
    let work = || {
        let done = options.on_threads(|| watch.over(|| job(&watch)));
        done.expect("nobody stops it")
    };
    if !std::io::stderr().is_terminal() {
        return work();
    }
    let (done, ends) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // Dropped when the work ends, a panic included.
            let ends = ends;
            if ends.recv_timeout(QUICK) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let command = typed().take(3).collect::<Vec<_>>().join(" ");
            let target = ProgressDrawTarget::stderr();
            let looks = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}");
            let looks = looks.expect("the template is fixed");
            let bar = ProgressBar::with_draw_target(None, target)
                .with_style(looks)
                .with_elapsed(QUICK);
            while ends.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                bar.set_message(line(&command, &watch.work(), options, &so_far.said()));
                bar.tick();
            }
            bar.finish_and_clear();
        });
        let _done = done;
        work()
    })
}

/// The line that is shown.
fn line(command: &str, work: &Work, options: &Options, so_far: &str) -> String {
    let mut parts = vec![command.to_owned()];
    if !work.doing.is_empty() {
        parts.push(work.doing.clone());
    }
    if work.questions > 1 {
        parts.push(format!("{} questions", grouped(work.questions)));
    }
    if work.trials > 0 {
        let all = match options.stop {
            Stop::Trials(all) if work.questions == 1 => format!(" of {}", grouped(all)),
            _ => String::new(),
        };
        parts.push(format!("{}{all} trials", grouped(work.trials)));
    }
    if !so_far.is_empty() {
        parts.push(format!("so far {so_far}"));
    }
    parts.join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_what_is_done_and_what_it_comes_to() {
        let work = Work {
            doing: "dead parts".into(),
            questions: 1234,
            trials: 0,
        };
        let usual = Options::default();
        let audit = line("audit elephant", &work, &usual, "");
        assert_eq!(audit, "audit elephant · dead parts · 1,234 questions");
        let battle = Work {
            questions: 1,
            trials: 16_384,
            ..Work::default()
        };
        let odds = line("odds elephant battle", &battle, &usual, "success 1 %");
        assert_eq!(
            odds,
            "odds elephant battle · 16,384 of 1,000,000 trials · so far success 1 %"
        );
    }

    #[test]
    fn work_is_done_and_gives_its_answer() {
        assert_eq!(waiting(&Options::default(), || 7), 7);
    }
}
