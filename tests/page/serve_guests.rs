//! `grapeshot serve` and its visitors: those who mean no good, those who come in floods, and what is kept of them.

use crate::program::unseen;
use crate::serving::{Served, read};
use std::io::Write;
use std::time::{Duration, Instant};

#[test]
fn everything_is_sent_under_a_strict_policy_and_nothing_is_left_behind() {
    let served = Served::new();
    for address in [
        "/",
        "/elephant/charge",
        "/nothing",
        "/api/odds/elephant/charge",
    ] {
        let got = served.get(address);
        let policy = got.header("content-security-policy").expect("a policy");
        assert!(policy.starts_with("default-src 'none'; style-src 'self'; script-src 'self'"));
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(got.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(got.header("set-cookie"), None);
    }
    let got = Served::with(&["--cors"]).get("/api/rules");
    assert_eq!(got.header("access-control-allow-origin"), Some("*"));
}

#[test]
fn visitors_who_mean_no_good_leave_it_answering() {
    let served = Served::new();
    // A body of a hundred megabytes is refused without being read.
    let huge =
        b"POST /elephant/charge HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100000000\r\n\r\nhouse=";
    assert_eq!(served.say(huge).status, 413);
    // The same in pieces, without saying how long it is.
    let mut chunked = served.connect();
    let head =
        b"POST /elephant/charge HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n";
    chunked.write_all(head).expect("sent");
    let piece = [b"10000\r\n".to_vec(), vec![b'x'; 0x10000], b"\r\n".to_vec()].concat();
    let mut sent = 0;
    while sent < 100_000_000 && chunked.write_all(&piece).is_ok() {
        sent += piece.len();
    }
    assert!(sent < 100_000_000, "all of it was taken");
    // Slow ones that never finish their question, more of them than there is room for.
    let mut slow = Vec::new();
    for _ in 0..850 {
        let mut stream = served.connect();
        let _ = stream.write_all(b"GET /elephant/charge HTTP/1.1\r\nhost: ");
        slow.push(stream);
    }
    assert_eq!(served.get("/elephant/charge").status, 200);
    // Nonsense.
    for nonsense in [
        &b"\x16\x03\x01\x02\x00\x01\x00"[..],
        b"GET\r\n\r\n",
        b"DELETE /elephant HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n",
    ] {
        let got = served.say(nonsense);
        assert!(matches!(got.status, 0 | 400 | 405), "{}", got.head);
    }
    let long = format!("/elephant/charge?attacker.grade={}", "x".repeat(20_000));
    assert_eq!(served.get(&long).status, 414);
    assert_eq!(served.get("/elephant/charge").status, 200);
    // The slow ones are let go in the end.
    let first = slow.pop().expect("the last of them");
    let begun = Instant::now();
    let got = read(first);
    assert!(begun.elapsed() < Duration::from_secs(30), "{got:?}");
}

#[test]
fn a_flood_gets_sentences_and_the_page_stays_alive() {
    let served = Served::new();
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let each = (0..40).map(|n| {
            let served = &served;
            // Each a different question of a long kind.
            scope.spawn(move || {
                let address = format!("/elephant/firefight/help?a.stands={}", n % 30 + 5);
                served.get(&address).status
            })
        });
        let each: Vec<_> = each.collect();
        // Meanwhile a player asks a quick one.
        assert_eq!(served.get("/elephant/charge").status, 200);
        each.into_iter()
            .map(|one| one.join().expect("an answer"))
            .collect()
    });
    assert!(
        statuses.iter().all(|status| matches!(status, 200 | 503)),
        "{statuses:?}"
    );
    assert!(
        statuses.contains(&503),
        "nobody was turned away: {statuses:?}"
    );
    let got = served.get("/elephant/charge?attacker.stands=11");
    assert_eq!(got.status, 200);
}

#[cfg(unix)]
#[test]
fn it_ends_cleanly_when_it_is_interrupted() {
    let served = Served::new();
    assert_eq!(served.get("/").status, 200);
    let status = served.interrupted();
    assert_eq!(status.code(), Some(0));
}

#[test]
fn many_different_questions_do_not_grow_it() {
    let served = Served::new();
    let ask = |n: u32| {
        let (a, b, yards) = (n % 40 + 1, n / 40 % 40 + 1, n / 1600 + 1);
        let address = format!(
            "/api/odds/elephant/charge?attacker.stands={a}&defender.stands={b}&distance={yards}"
        );
        assert_eq!(served.get(&address).status, 200);
    };
    let Some(_) = served.memory() else {
        unseen("the system does not tell the memory of a process");
        return;
    };
    // Until the answers that are kept have filled their room.
    (0..5000).for_each(ask);
    let before = served.memory().expect("memory");
    (5000..7500).for_each(ask);
    let after = served.memory().expect("memory");
    assert!(after < before + 12_000, "from {before} to {after} kB");
}

#[test]
fn after_a_flood_of_answers_that_nobody_reads_the_memory_comes_back() {
    let served = Served::new();
    assert_eq!(served.get("/elephant/charge").status, 200);
    let Some(start) = served.memory() else {
        unseen("the system does not tell the memory of a process");
        return;
    };
    // The largest answers there are, some five megabytes each, all different.
    let large = |n: usize| format!("/api/decide/elephant/standoff?a.stands={}&turns=12", 8 + n);
    let got = served.get(&large(0));
    assert!(got.bytes.len() > 1_000_000, "{} bytes", got.bytes.len());
    let unread: Vec<_> = (1..=24)
        .map(|n| {
            let mut stream = served.connect();
            let address = large(n);
            let request = format!("GET {address} HTTP/1.1\r\nhost: localhost\r\n\r\n");
            stream.write_all(request.as_bytes()).expect("sent");
            stream
        })
        .collect();
    // While they wait, and are turned away, others are answered.
    for n in 0..40 {
        let got = served.get(&format!("/elephant/charge?attacker.stands={}", n % 9 + 1));
        assert_eq!(got.status, 200);
        let now = served.memory().expect("memory");
        assert!(now < start + 300_000, "from {start} to {now} kB");
        std::thread::sleep(Duration::from_millis(100));
    }
    drop(unread);
    // What was under way ends by itself.
    let mut now = 0;
    for _ in 0..300 {
        now = served.memory().expect("memory");
        if now < start + 100_000 {
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("it started with {start} kB and keeps {now} kB");
}
