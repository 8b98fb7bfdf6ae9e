//! IP address → may it be reached without leave?
//!
//! Obeys the IANA special-purpose registries (RFC 6890 and its updates) and design §6:
//! public addresses only. An address that carries another one (mapped, NAT64, 6to4, Teredo)
//! is judged by what it carries too. Never resolves a name.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// What an address is, if it is not public: `a loopback address`, …
pub fn not_public(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(v4) => not_public_v4(v4),
        IpAddr::V6(v6) => not_public_v6(v6),
    }
}

/// Does the name mean this machine without being asked for (RFC 6761 §6.3)?
pub fn is_localhost(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    let last = name.rsplit('.').next().unwrap_or(name);
    last.eq_ignore_ascii_case("localhost")
}

fn not_public_v4(address: Ipv4Addr) -> Option<&'static str> {
    V4.iter()
        .find(|(network, bits, _)| starts_alike(address.to_bits(), network.to_bits(), *bits))
        .map(|(_, _, what)| *what)
}

fn starts_alike(address: u32, network: u32, bits: u32) -> bool {
    (address ^ network).leading_zeros() >= bits
}

/// Everything in IPv4 that is not the public internet.
const V4: &[(Ipv4Addr, u32, &str)] = &[
    (Ipv4Addr::new(0, 0, 0, 0), 8, "an address of this network"),
    (Ipv4Addr::new(10, 0, 0, 0), 8, "a private address"),
    (
        Ipv4Addr::new(100, 64, 0, 0),
        10,
        "a carrier's shared address",
    ),
    (Ipv4Addr::new(127, 0, 0, 0), 8, "a loopback address"),
    (
        Ipv4Addr::new(168, 63, 129, 16),
        32,
        "a cloud's service address",
    ),
    (Ipv4Addr::new(169, 254, 0, 0), 16, "a link-local address"),
    (Ipv4Addr::new(172, 16, 0, 0), 12, "a private address"),
    (Ipv4Addr::new(192, 0, 0, 0), 24, "a protocol assignment"),
    (Ipv4Addr::new(192, 0, 2, 0), 24, "a documentation address"),
    (Ipv4Addr::new(192, 31, 196, 0), 24, "a protocol assignment"),
    (Ipv4Addr::new(192, 52, 193, 0), 24, "a protocol assignment"),
    (Ipv4Addr::new(192, 88, 99, 0), 24, "a relay address"),
    (Ipv4Addr::new(192, 168, 0, 0), 16, "a private address"),
    (Ipv4Addr::new(192, 175, 48, 0), 24, "a protocol assignment"),
    (Ipv4Addr::new(198, 18, 0, 0), 15, "a benchmarking address"),
    (
        Ipv4Addr::new(198, 51, 100, 0),
        24,
        "a documentation address",
    ),
    (Ipv4Addr::new(203, 0, 113, 0), 24, "a documentation address"),
    (Ipv4Addr::new(224, 0, 0, 0), 4, "a multicast address"),
    (Ipv4Addr::new(240, 0, 0, 0), 4, "a reserved address"),
];

fn not_public_v6(address: Ipv6Addr) -> Option<&'static str> {
    match address.segments() {
        [0, 0, 0, 0, 0, 0, 0, 0] => Some("the unspecified address"),
        [0, 0, 0, 0, 0, 0, 0, 1] => Some("a loopback address"),
        [0, 0, 0, 0, 0, 0xffff, high, low] => not_public_v4(v4(high, low)),
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => not_public_v4(v4(high, low)),
        [0x64, 0xff9b, 1, ..] => Some("a local translation address"),
        [0x2001, 0, ..] => Some("a Teredo address"),
        [0x2001, 0xdb8, ..] | [0x3fff, 0..0x1000, ..] => Some("a documentation address"),
        [0x2001, 2, 0, ..] => Some("a benchmarking address"),
        [0x2001, 0..0x200, ..] => Some("a protocol assignment"),
        [0x2002, high, low, ..] => not_public_v4(v4(high, low)).or(Some("a 6to4 address")),
        [0x2620, 0x4f, 0x8000, ..] => Some("a protocol assignment"),
        [0x2000..0x4000, ..] => None,
        [0xfc00..0xfe00, ..] => Some("a private address"),
        [0xfe80..0xfec0, ..] => Some("a link-local address"),
        [0xfec0..0xff00, ..] => Some("a site-local address"),
        [0xff00..=0xffff, ..] => Some("a multicast address"),
        [0x100, ..] => Some("a discard address"),
        _ => Some("a reserved address"),
    }
}

fn v4(high: u16, low: u16) -> Ipv4Addr {
    Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(addresses: &[&str], public: bool) {
        for text in addresses {
            let address: IpAddr = text.parse().expect("an address");
            assert_eq!(not_public(address).is_none(), public, "{text}");
        }
    }

    #[test]
    fn public_addresses_may_be_reached() {
        check(
            &[
                "1.1.1.1",
                "8.8.8.8",
                "9.255.255.255",
                "11.0.0.0",
                "100.63.255.255",
                "100.128.0.0",
                "126.255.255.255",
                "128.0.0.0",
                "168.63.129.15",
                "168.63.129.17",
                "169.253.255.255",
                "169.255.0.0",
                "172.15.255.255",
                "172.32.0.0",
                "192.0.1.0",
                "192.167.255.255",
                "192.169.0.0",
                "198.17.255.255",
                "198.20.0.0",
                "223.255.255.255",
                "2606:4700:4700::1111",
                "2001:4860:4860::8888",
                "2a00::1",
                "2001:200::1",
                "::ffff:8.8.8.8",
                "64:ff9b::8.8.8.8",
                "3ffe::1",
            ],
            true,
        );
    }

    #[test]
    fn no_other_address_may() {
        check(
            &[
                "0.0.0.0",
                "0.1.2.3",
                "10.0.0.1",
                "10.255.255.255",
                "100.64.0.0",
                "100.127.255.255",
                "127.0.0.1",
                "127.255.255.255",
                "168.63.129.16",
                "169.254.0.0",
                "169.254.169.254",
                "172.16.0.1",
                "172.31.255.255",
                "192.0.0.1",
                "192.0.2.1",
                "192.88.99.1",
                "192.168.0.1",
                "198.18.0.1",
                "198.19.255.255",
                "198.51.100.1",
                "203.0.113.1",
                "224.0.0.1",
                "239.255.255.255",
                "240.0.0.1",
                "255.255.255.255",
            ],
            false,
        );
        check(
            &[
                "::",
                "::1",
                "::2",
                "::7f00:1",
                "::ffff:127.0.0.1",
                "::ffff:169.254.169.254",
                "::ffff:0:127.0.0.1",
                "64:ff9b::127.0.0.1",
                "64:ff9b::10.0.0.1",
                "64:ff9b:1::1",
                "100::1",
                "2001::1",
                "2001:2::1",
                "2001:10::1",
                "2001:20::1",
                "2001:1ff:ffff::1",
                "2001:db8::1",
                "2002:7f00:1::",
                "2002:808:808::1",
                "2620:4f:8000::1",
                "3fff::1",
                "3fff:fff::1",
                "4000::1",
                "5f00::1",
                "fc00::1",
                "fdff:ffff::1",
                "fe80::1",
                "febf::1",
                "fec0::1",
                "feff::1",
                "ff02::1",
                "ffff::1",
            ],
            false,
        );
    }

    #[test]
    fn localhost_has_many_names() {
        for name in [
            "localhost",
            "LOCALHOST",
            "localhost.",
            "a.b.localhost",
            "x.LocalHost.",
        ] {
            assert!(is_localhost(name), "{name}");
        }
        for name in ["localhost.example.com", "notlocalhost", "local.host", ""] {
            assert!(!is_localhost(name), "{name}");
        }
    }
}
