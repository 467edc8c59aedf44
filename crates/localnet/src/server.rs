//! HTTP in front of the node.

use std::net::SocketAddr;
use std::time::Duration;

use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    CONTENT_TYPE, HeaderValue, ORIGIN,
};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::config::CloseMode;
use crate::rpc::{self, Reply};
use crate::state_file::StateError;
use crate::worker::{Stopped, Worker};
use crate::{admin, friendbot};

/// Largest body of a request, in bytes.
const MAX_BODY_BYTES: usize = 512 * 1024;
/// How long to wait when the system gives no further connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// How often a network that closes at once looks for transactions that had to wait.
const WAITING_TICK: Duration = Duration::from_secs(1);

/// Why a network did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address is taken, or not of this machine.
    #[error("cannot listen on {address}: {source}; choose another port, or 0 for a free one")]
    Listen {
        /// The address asked for.
        address: SocketAddr,
        /// Why.
        source: std::io::Error,
    },
    /// The state file cannot be used.
    #[error(transparent)]
    State(#[from] StateError),
    /// The saved or initial state gives no working contract host.
    #[error("the ledger's state cannot be used: {0}")]
    Ledger(String),
    /// The system gave no thread.
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
    /// It stopped while it started.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// The connection shall break without an answer.
#[derive(Debug, thiserror::Error)]
#[error("the connection was broken on purpose")]
struct Broken;

type Answer = Response<Full<Bytes>>;

/// Serves until `stop` says so.
pub(crate) async fn serve(
    listener: TcpListener,
    worker: Worker,
    close: CloseMode,
    mut stop: watch::Receiver<bool>,
) {
    let mut tasks = JoinSet::new();
    tasks.spawn(keep_closing(worker.clone(), close));
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stop.wait_for(|stop| *stop) => break,
        };
        // A client that is gone before it was accepted is no reason to stop. Where the process has
        // no file left for another, asking again at once would only take its time.
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        // Small answers shall not wait for more.
        let _ = stream.set_nodelay(true);
        let worker = worker.clone();
        tasks.spawn(async move {
            let service = service_fn(move |request| answer(worker.clone(), request));
            // What ends a connection early concerns its client alone.
            let _ = http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
        while tasks.try_join_next().is_some() {}
    }
    tasks.shutdown().await;
}

/// Closes ledgers by itself, as the mode asks.
async fn keep_closing(worker: Worker, close: CloseMode) {
    let period = match close {
        CloseMode::OnDemand => return,
        CloseMode::AtOnce => WAITING_TICK,
        CloseMode::Every { seconds } => Duration::from_secs(seconds.max(1)),
    };
    let mut ticks = tokio::time::interval(period);
    ticks.tick().await;
    loop {
        ticks.tick().await;
        let closed = worker
            .run(move |node| {
                if close != CloseMode::AtOnce || node.queue.len() > 0 {
                    node.close_by_itself();
                }
            })
            .await;
        if closed.is_err() {
            return;
        }
    }
}

async fn answer(worker: Worker, request: Request<Incoming>) -> Result<Answer, Broken> {
    let path = request.uri().path().to_owned();
    if request.method() == Method::OPTIONS {
        return Ok(if path.starts_with("/localnet/") {
            status(StatusCode::METHOD_NOT_ALLOWED)
        } else {
            allow_origins(status(StatusCode::NO_CONTENT))
        });
    }
    if path == "/friendbot" {
        return Ok(allow_origins(ask_friendbot(worker, request).await));
    }
    if let Some(rest) = path.strip_prefix("/localnet/") {
        return Ok(drive(worker, rest.to_owned(), request).await);
    }
    call(worker, request).await.map(allow_origins)
}

async fn call(worker: Worker, request: Request<Incoming>) -> Result<Answer, Broken> {
    if request.method() != Method::POST {
        return Ok(status(StatusCode::METHOD_NOT_ALLOWED));
    }
    if !is_json(&request) {
        return Ok(status(StatusCode::UNSUPPORTED_MEDIA_TYPE));
    }
    let body = match read_body(request).await {
        Ok(body) => body,
        Err(refused) => return Ok(refused),
    };
    let reply = worker.run(move |node| rpc::handle(node, &body)).await;
    match reply {
        Ok(Reply::Json(value)) => Ok(json(StatusCode::OK, &value)),
        Ok(Reply::Nothing) => Ok(status(StatusCode::NO_CONTENT)),
        Ok(Reply::Unavailable) => Ok(status(StatusCode::SERVICE_UNAVAILABLE)),
        Ok(Reply::GatewayTimeout) => Ok(status(StatusCode::GATEWAY_TIMEOUT)),
        Ok(Reply::Dropped) => Err(Broken),
        Err(Stopped) => Ok(status(StatusCode::INTERNAL_SERVER_ERROR)),
    }
}

async fn ask_friendbot(worker: Worker, request: Request<Incoming>) -> Answer {
    if !matches!(*request.method(), Method::GET | Method::POST) {
        return status(StatusCode::METHOD_NOT_ALLOWED);
    }
    let from_query = address_in(request.uri().query().unwrap_or_default());
    let body = match read_body(request).await {
        Ok(body) => body,
        Err(refused) => return refused,
    };
    let address = from_query.or_else(|| address_in(&String::from_utf8_lossy(&body)));
    funded(
        worker
            .run(move |node| friendbot::fund(node, address.as_deref()))
            .await,
    )
}

/// `addr` of a query or a form. Addresses need no escaping.
fn address_in(form: &str) -> Option<String> {
    form.split('&')
        .find_map(|pair| pair.strip_prefix("addr="))
        .map(str::to_owned)
}

async fn drive(worker: Worker, path: String, request: Request<Incoming>) -> Answer {
    let method = request.method().as_str().to_owned();
    // Browsers say where a page came from, also a page that has our address under another name.
    if request.headers().contains_key(ORIGIN) {
        return status(StatusCode::FORBIDDEN);
    }
    // A page in a browser cannot send JSON elsewhere unasked, and here nobody is allowed to.
    if request.method() == Method::POST && !is_json(&request) {
        return status(StatusCode::UNSUPPORTED_MEDIA_TYPE);
    }
    let body = match read_body(request).await {
        Ok(body) => body,
        Err(refused) => return refused,
    };
    funded(
        worker
            .run(move |node| admin::handle(node, &method, &path, &body))
            .await,
    )
}

fn funded(answer: Result<friendbot::Answer, Stopped>) -> Answer {
    match answer {
        Ok((code, body)) => json(
            StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
            &body,
        ),
        Err(Stopped) => status(StatusCode::INTERNAL_SERVER_ERROR),
    }
}

fn is_json(request: &Request<Incoming>) -> bool {
    request
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

async fn read_body(request: Request<Incoming>) -> Result<Bytes, Answer> {
    match Limited::new(request.into_body(), MAX_BODY_BYTES)
        .collect()
        .await
    {
        Ok(body) => Ok(body.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(status(StatusCode::PAYLOAD_TOO_LARGE)),
        Err(_) => Err(status(StatusCode::BAD_REQUEST)),
    }
}

fn status(code: StatusCode) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::new()));
    *answer.status_mut() = code;
    answer
}

fn json(code: StatusCode, value: &Value) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from(value.to_string())));
    *answer.status_mut() = code;
    answer
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    answer
}

fn allow_origins(mut answer: Answer) -> Answer {
    let headers = answer.headers_mut();
    for name in [
        ACCESS_CONTROL_ALLOW_ORIGIN,
        ACCESS_CONTROL_ALLOW_HEADERS,
        ACCESS_CONTROL_ALLOW_METHODS,
    ] {
        headers.insert(name, HeaderValue::from_static("*"));
    }
    answer
}
