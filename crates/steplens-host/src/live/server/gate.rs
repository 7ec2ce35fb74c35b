//! Who is answered. A page of another origin must not read the folder, also not by a name that it has led to this machine.

use hyper::header::{COOKIE, HOST, HeaderMap, HeaderValue, ORIGIN};
use hyper::{Request, Uri};
use std::net::IpAddr;

/// What must be true of a request.
#[derive(Debug)]
pub(super) struct Gate {
    token: String,
    /// Names the cookie: cookies are the same for all ports of a host, and several folders may be served.
    cookie: String,
    /// Where the server listens.
    address: IpAddr,
}

/// Why a request is not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    Host,
    Origin,
    Token,
}

impl Refusal {
    /// The stable code.
    pub(super) fn code(self) -> &'static str {
        match self {
            Self::Host => "foreign-host",
            Self::Origin => "foreign-origin",
            Self::Token => "no-token",
        }
    }
}

/// How a request shows that it may be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    /// By the cookie.
    Cookie,
    /// By the token in the address.
    Address,
}

impl Gate {
    pub(super) fn new(random: [u8; super::TOKEN_BYTES], address: IpAddr) -> Self {
        let token: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        // The first bytes name the cookie: they are no secret, and there are enough others.
        let (name, token) = token.split_at(8);
        Self { cookie: format!("steplens-{name}"), token: token.to_owned(), address }
    }

    pub(super) fn token(&self) -> &str {
        &self.token
    }

    /// What the answer to the token in the address sets.
    pub(super) fn set_cookie(&self) -> String {
        format!("{}={}; HttpOnly; SameSite=Strict; Path=/", self.cookie, self.token)
    }

    /// How `request` shows that it may be answered.
    pub(super) fn check<B>(&self, request: &Request<B>) -> Result<Shown, Refusal> {
        let headers = request.headers();
        let host = self.host(headers).ok_or(Refusal::Host)?;
        if !is_own_origin(headers, host) {
            return Err(Refusal::Origin);
        }
        if token_of(request.uri()).is_some_and(|token| is_same(token.as_bytes(), self.token.as_bytes())) {
            return Ok(Shown::Address);
        }
        // As bytes: other programs of this host set cookies, too, in any letters.
        let cookies = headers.get_all(COOKIE).iter().flat_map(|value| value.as_bytes().split(|&c| c == b';'));
        let mut values = cookies.filter_map(|pair| {
            pair.trim_ascii().strip_prefix(self.cookie.as_bytes()).and_then(|rest| rest.strip_prefix(b"="))
        });
        match values.any(|value| is_same(value, self.token.as_bytes())) {
            true => Ok(Shown::Cookie),
            false => Err(Refusal::Token),
        }
    }

    /// The Host of a request, if it is this machine, with any port: `ssh -L` has another one. A name that somebody else has led here
    /// (DNS rebinding) is none of these.
    fn host<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        let mut all = headers.get_all(HOST).iter();
        let (host, None) = (all.next()?.to_str().ok()?, all.next()) else { return None };
        let name = match host.rsplit_once(':') {
            Some((name, port)) if !port.is_empty() && port.bytes().all(|c| c.is_ascii_digit()) => name,
            _ => host,
        };
        let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        let ip: Option<IpAddr> = address.parse().ok();
        let is_own = name.eq_ignore_ascii_case("localhost")
            || ["127.0.0.1", "[::1]"].contains(&name)
            || ip.is_some_and(|ip| ip == self.address)
            // Whoever lets it listen everywhere reaches it by an address of this machine; an address cannot be led elsewhere.
            || (self.address.is_unspecified() && ip.is_some());
        is_own.then_some(host)
    }
}

/// Whether a request comes from the page itself, or from no page. Other ports of this machine are the same site: SameSite does not keep
/// them away.
fn is_own_origin(headers: &HeaderMap, host: &str) -> bool {
    let own =
        |value: &HeaderValue| value.as_bytes().eq_ignore_ascii_case(format!("http://{host}").as_bytes());
    if !headers.get_all(ORIGIN).iter().all(own) {
        return false;
    }
    let is = |name: &str, values: &[&str]| {
        headers.get(name).is_some_and(|value| values.iter().any(|known| value.as_bytes() == known.as_bytes()))
    };
    // What the browser asks for another page, unless the user goes there.
    !is("sec-fetch-site", &["cross-site", "same-site"])
        || (is("sec-fetch-mode", &["navigate"]) && is("sec-fetch-dest", &["document"]))
}

fn token_of(uri: &Uri) -> Option<&str> {
    let query = uri.query().filter(|_| uri.path() == "/")?;
    query.split('&').find_map(|part| part.strip_prefix("token="))
}

/// Whether both are the same, in a time that does not tell how much of it is.
fn is_same(given: &[u8], wanted: &[u8]) -> bool {
    let differ = given.iter().zip(wanted).fold(0, |differ, (a, b)| differ | (a ^ b));
    given.len() == wanted.len() && differ == 0
}
