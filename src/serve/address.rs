//! Where the page can be reached, for a browser here and a phone across the table.

use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::process::{Command, Stdio};

/// The address to type or scan: a machine that listens on all its addresses has one that others know.
pub(super) fn reachable(listening: SocketAddr) -> SocketAddr {
    let ip = match listening.ip() {
        ip if ip.is_unspecified() => own_ip().unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        ip => ip,
    };
    SocketAddr::new(ip, listening.port())
}

/// The address under which this machine would speak to others; nothing is sent to find it.
fn own_ip() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // An address that is reserved for examples: only the route to it is looked up.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    let ip = socket.local_addr().ok()?.ip();
    (!ip.is_unspecified()).then_some(ip)
}

/// What is told when the page is up.
pub(super) fn greeting(listening: SocketAddr) -> String {
    let at = reachable(listening);
    let url = format!("http://{at}/");
    if at.ip().is_loopback() {
        return format!(
            "grapeshot is at {url}\nOnly this machine can reach it; --addr 0.0.0.0:{} lets in the phone at the table.\nCtrl-C ends it.\n",
            at.port()
        );
    }
    let code = code(&url).unwrap_or_default();
    format!(
        "grapeshot is at {url}\n{code}\nEverybody on this network can reach it.\nCtrl-C ends it.\n"
    )
}

/// An address as a code to scan: dark on light, whatever the terminal's colours are.
fn code(url: &str) -> Option<String> {
    let code = QrCode::new(url).ok()?;
    let drawn = code
        .render::<Dense1x2>()
        .dark_color(Dense1x2::Light)
        .light_color(Dense1x2::Dark)
        .quiet_zone(true)
        .build();
    Some(drawn + "\n")
}

/// Opens the page in whatever opens pages here.
pub(super) fn open(listening: SocketAddr) -> Result<(), String> {
    let url = format!("http://{}/", reachable(listening));
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

    #[test]
    fn who_listens_everywhere_is_told_an_address_that_can_be_typed() {
        let at = reachable("0.0.0.0:80".parse().unwrap());
        assert!(!at.ip().is_unspecified());
        assert_eq!(at.port(), 80);
    }
}
