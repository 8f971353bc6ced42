//! Where the page can be reached, for a browser here and a phone across the table.

use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;
use std::io::{self, IsTerminal};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::process::{Command, Stdio};

/// The addresses to type or scan, the likeliest first: a machine that listens on all its addresses has several that
/// others may know.
fn reachable(listening: SocketAddr) -> Vec<SocketAddr> {
    let at = |ip| SocketAddr::new(ip, listening.port());
    if !listening.ip().is_unspecified() {
        return vec![listening];
    }
    let mut all: Vec<IpAddr> = own_ip().into_iter().collect();
    let told = std::fs::read_to_string("/proc/net/fib_trie").unwrap_or_default();
    for ip in local(&told).map(IpAddr::V4) {
        if !ip.is_loopback() && !all.contains(&ip) {
            all.push(ip);
        }
    }
    if all.is_empty() {
        all.push(IpAddr::V4(Ipv4Addr::LOCALHOST));
    }
    all.into_iter().map(at).collect()
}

/// The address under which this machine would speak to others; nothing is sent to find it.
fn own_ip() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // An address that is reserved for examples: only the route to it is looked up.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    let ip = socket.local_addr().ok()?.ip();
    (!ip.is_unspecified()).then_some(ip)
}

/// The machine's own addresses in what the system tells of its routes, whether or not one leads out.
fn local(told: &str) -> impl Iterator<Item = Ipv4Addr> {
    let lines: Vec<&str> = told.lines().collect();
    let own = |pair: &[&str]| pair[1].contains("host LOCAL");
    let found = lines.windows(2).filter(move |pair| own(pair));
    let found = found.filter_map(|pair| pair[0].trim().strip_prefix("|-- ")?.parse().ok());
    found.collect::<Vec<_>>().into_iter()
}

/// What is told when the page is up.
pub(super) fn greeting(listening: SocketAddr) -> String {
    let all = reachable(listening);
    let at = all[0];
    let url = format!("http://{at}/");
    if at.ip().is_loopback() {
        return format!(
            "grapeshot is at {url}\nOnly this machine can reach it; --addr 0.0.0.0:{} lets in the phone at the table.\nCtrl-C ends it.\n",
            at.port()
        );
    }
    let code = code(&url, io::stdout().is_terminal()).unwrap_or_default();
    let others: String = (all[1..].iter())
        .map(|other| format!("or at        http://{other}/\n"))
        .collect();
    format!(
        "grapeshot is at {url}\n{others}{code}\nEverybody on this network can reach it.\nCtrl-C ends it.\n"
    )
}

/// Black ink on white paper, whatever the terminal's colours are.
const INKED: &str = "\u{1b}[38;5;16;48;5;231m";
const PLAIN: &str = "\u{1b}[0m";

/// An address as a code to scan: in a terminal black on white; elsewhere as a dark terminal would show it.
fn code(url: &str, terminal: bool) -> Option<String> {
    let code = QrCode::new(url).ok()?;
    let (dark, light) = match terminal {
        true => (Dense1x2::Dark, Dense1x2::Light),
        false => (Dense1x2::Light, Dense1x2::Dark),
    };
    let drawn = code
        .render::<Dense1x2>()
        .dark_color(dark)
        .light_color(light)
        .quiet_zone(true)
        .build();
    Some(match terminal {
        true => drawn
            .lines()
            .map(|line| format!("{INKED}{line}{PLAIN}\n"))
            .collect(),
        false => drawn + "\n",
    })
}

/// Opens the page in whatever opens pages here.
pub(super) fn open(listening: SocketAddr) -> Result<(), String> {
    let url = format!("http://{}/", reachable(listening)[0]);
    let (program, arguments): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start"]),
        _ => ("xdg-open", &[]),
    };
    Command::new(program)
        .args(arguments)
        .arg(&url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map(drop)
        .map_err(|error| {
            format!("--open: `{program}` cannot be started ({error}); open {url} yourself")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_for_this_machine_has_no_code_and_one_for_others_has() {
        let here = greeting("127.0.0.1:8063".parse().unwrap());
        assert!(
            here.contains("http://127.0.0.1:8063/") && !here.contains('█'),
            "{here}"
        );
        let there = greeting("192.168.0.7:8063".parse().unwrap());
        assert!(
            there.contains("http://192.168.0.7:8063/") && there.contains('█'),
            "{there}"
        );
    }

    /// What a camera reads of a code in a terminal of this ink and paper.
    fn scanned(drawn: &str, ink: u8, paper: u8) -> Option<String> {
        const DOT: usize = 4;
        let lines = drawn.lines().map(|line| {
            let own = line
                .strip_prefix(INKED)
                .and_then(|line| line.strip_suffix(PLAIN));
            match own {
                Some(line) => (line, 0, 255),
                None => (line, ink, paper),
            }
        });
        // Two rows of dots for every line: the upper halves of its letters, and the lower.
        let rows: Vec<Vec<u8>> = lines
            .flat_map(|(line, ink, paper)| {
                let half = |inked: [char; 2]| {
                    let letters = line.chars();
                    let shade = letters.map(|c| if inked.contains(&c) { ink } else { paper });
                    shade.collect::<Vec<u8>>()
                };
                [half(['█', '▀']), half(['█', '▄'])]
            })
            .collect();
        let (width, height) = (rows[0].len() * DOT, rows.len() * DOT);
        let mut image = rqrr::PreparedImage::prepare_from_greyscale(width, height, |x, y| {
            rows[y / DOT].get(x / DOT).copied().unwrap_or(paper)
        });
        let found = image.detect_grids();
        found.first()?.decode().ok().map(|(_, text)| text)
    }

    #[test]
    fn the_code_scans_in_light_and_in_dark_terminals() {
        let url = "http://192.168.0.7:8063/";
        let drawn = code(url, true).expect("a code");
        for (ink, paper) in [(255, 0), (0, 255), (200, 40), (30, 220)] {
            assert_eq!(
                scanned(&drawn, ink, paper).as_deref(),
                Some(url),
                "{ink} on {paper}"
            );
        }
        // Where nothing is known of the colours it is as a dark terminal shows it; the other way round it is inverted.
        let drawn = code(url, false).expect("a code");
        assert!(!drawn.contains('\u{1b}'));
        assert_eq!(scanned(&drawn, 255, 0).as_deref(), Some(url));
        assert_ne!(scanned(&drawn, 0, 255).as_deref(), Some(url));
    }

    #[test]
    fn who_listens_everywhere_is_told_an_address_that_can_be_typed() {
        for at in reachable("0.0.0.0:80".parse().unwrap()) {
            assert!(!at.ip().is_unspecified());
            assert_eq!(at.port(), 80);
        }
    }

    #[test]
    fn addresses_are_found_without_a_way_out() {
        let told = "Main:\n  +-- 0.0.0.0/0 3 0 5\n     |-- 127.0.0.1\n        /32 host LOCAL\n     |-- 192.168.0.0\n        /24 link UNICAST\n     |-- 192.168.0.7\n        /32 host LOCAL\n";
        let found: Vec<String> = local(told).map(|ip| ip.to_string()).collect();
        assert_eq!(found, ["127.0.0.1", "192.168.0.7"]);
    }
}
