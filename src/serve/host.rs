//! Which names the page answers to. A page of somebody else's that has its own name point here would be read by the
//! visitor's browser as if it were theirs; so a name is answered to only if it is known.

use axum::http::{HeaderMap, header};
use std::net::{IpAddr, SocketAddr};

/// The names that are known.
#[derive(Debug)]
pub(super) struct Hosts {
    listening: IpAddr,
    /// What was named at the start.
    named: Vec<String>,
}

impl Hosts {
    pub(super) fn new(listening: SocketAddr, named: Vec<String>) -> Self {
        Hosts {
            listening: listening.ip(),
            named,
        }
    }

    /// Whether the name that was asked for is ours. Addresses are: nobody can have them point elsewhere.
    pub(super) fn knows(&self, headers: &HeaderMap) -> bool {
        let Some(host) = headers.get(header::HOST) else {
            // Browsers always say it.
            return true;
        };
        let Ok(host) = host.to_str() else {
            return false;
        };
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
            _ => host,
        };
        let bare = name.trim_start_matches('[').trim_end_matches(']');
        if let Ok(ip) = bare.parse::<IpAddr>() {
            return ip == self.listening || ip.is_loopback() || self.listening.is_unspecified();
        }
        let is = |known: &str| known.eq_ignore_ascii_case(name.trim_end_matches('.'));
        is("localhost") || self.named.iter().any(|known| is(known))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn knows(listening: &str, named: &[&str], host: &str) -> bool {
        let named = named.iter().map(|name| (*name).to_owned()).collect();
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().expect("a header"));
        Hosts::new(listening.parse().expect("an address"), named).knows(&headers)
    }

    #[test]
    fn only_names_that_nobody_else_can_have_point_here_are_answered() {
        for host in [
            "localhost:8063",
            "LOCALHOST",
            "127.0.0.1:8063",
            "[::1]:8063",
        ] {
            assert!(knows("127.0.0.1:8063", &[], host), "{host}");
        }
        for host in [
            "evil.example",
            "evil.example:8063",
            "localhost.evil.example",
            "192.168.0.7",
        ] {
            assert!(!knows("127.0.0.1:8063", &[], host), "{host}");
        }
        assert!(knows("0.0.0.0:8063", &[], "192.168.0.7:8063"));
        assert!(!knows("0.0.0.0:8063", &[], "table.local"));
        assert!(knows("0.0.0.0:8063", &["table.local"], "Table.Local:8063"));
    }
}
