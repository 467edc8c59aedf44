//! How every operation opens and ends: who asks for what under which key, and what is stored.

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

use super::operation::answer;
use crate::auth::{Caller, Scope};
use crate::http::App;
use crate::problem::{Problem, ProblemKind};
use crate::serving::{NoQuery, Params, fingerprint, idempotency_key, json_body, visible};
use crate::store::operations::{Operation, OperationKind, Wanted};
use crate::store::orders::Order;
use crate::store::{StoreError, Write};

/// A request for an operation: whose it is, the id in its path, no query, headers and body.
pub(crate) type Incoming = (
    State<App>,
    Caller,
    Path<String>,
    Params<NoQuery>,
    HeaderMap,
    Bytes,
);

/// What an operation asks for beside its kind and what it is about.
pub(crate) trait Asking: Sized {
    /// Reads it from the body.
    fn read(headers: &HeaderMap, body: &Bytes) -> Result<Self, Problem>;

    /// What it means, as it is stored. The same text is the same request.
    fn meaning(&self) -> String;
}

/// A body without anything in it. It may be left out.
#[derive(Debug, Default, Deserialize, Serialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NothingBody {}

impl Asking for NothingBody {
    fn read(headers: &HeaderMap, body: &Bytes) -> Result<Self, Problem> {
        if body.is_empty() {
            return Ok(Self {});
        }
        json_body(headers, body)
    }

    fn meaning(&self) -> String {
        "{}".to_owned()
    }
}

/// Why an operation is not carried out by this request.
pub(crate) enum Ended {
    /// It is refused.
    Refused(Problem),
    /// Its key is known: this is its operation.
    Known(Response),
}

impl From<Problem> for Ended {
    fn from(problem: Problem) -> Self {
        Self::Refused(problem)
    }
}

impl From<StoreError> for Ended {
    fn from(error: StoreError) -> Self {
        Self::Refused(error.into())
    }
}

impl IntoResponse for Ended {
    fn into_response(self) -> Response {
        match self {
            Self::Refused(problem) => problem.into_response(),
            Self::Known(response) => response,
        }
    }
}

/// An operation that may be carried out: the caller may, and its key is unused.
pub(crate) struct Opening<B> {
    pub(crate) app: App,
    pub(crate) caller: Caller,
    pub(crate) body: B,
    /// What the body means.
    pub(crate) request: String,
    kind: OperationKind,
    program: String,
    order_id: Option<String>,
    key: String,
    print: String,
}

impl<B: Asking> Opening<B> {
    /// On an order, as it stands before it is locked.
    pub(crate) async fn on_order(
        kind: OperationKind,
        incoming: Incoming,
    ) -> Result<(Self, Order), Ended> {
        let (_, caller, Path(id), ..) = &incoming;
        let State(app) = &incoming.0;
        let order = visible(app, caller, Scope::Operate, id).await?;
        let opening = Self::open(kind, &order.program, Some(&order.id), &incoming).await?;
        Ok((opening, order))
    }

    /// On a whole program.
    pub(crate) async fn on_program(kind: OperationKind, incoming: Incoming) -> Result<Self, Ended> {
        let (State(app), caller, Path(program), ..) = &incoming;
        caller.may(Scope::Operate, program)?;
        app.program(program).ok_or_else(Problem::not_found)?;
        Self::open(kind, program, None, &incoming).await
    }

    /// After who may, the look-up of the key comes before every other check.
    async fn open(
        kind: OperationKind,
        program: &str,
        order_id: Option<&str>,
        (State(app), caller, _, _, headers, body): &Incoming,
    ) -> Result<Self, Ended> {
        let key = idempotency_key(headers)?.as_str().to_owned();
        let body = B::read(headers, body)?;
        let request = body.meaning();
        let meaning = format!("{}/{}/{request}", kind.name(), order_id.unwrap_or("-"));
        let opening = Self {
            app: App::clone(app),
            caller: caller.clone(),
            body,
            request,
            kind,
            program: program.to_owned(),
            order_id: order_id.map(str::to_owned),
            key,
            print: fingerprint(&meaning),
        };
        match opening.known().await? {
            Some(response) => Err(Ended::Known(response)),
            None => Ok(opening),
        }
    }
}

impl<B> Opening<B> {
    /// A transaction, with the order as it is in it. Its place is the operation's, which asks for it.
    #[track_caller]
    pub(crate) fn lock(
        &self,
        order: &Order,
    ) -> impl Future<Output = Result<(Write, Order), Problem>> {
        let store = &self.app.store;
        let begun = store.begin();
        async move {
            let mut tx = begun.await?;
            let order = store.lock_order(&mut tx, &order.id).await?;
            Ok((tx, order.ok_or_else(Problem::not_found)?))
        }
    }

    /// Stores the operation under its key. `None`: another request was faster.
    pub(crate) async fn store(
        &self,
        tx: &mut Write,
        state: &str,
        result: Option<&str>,
    ) -> Result<Option<Operation>, StoreError> {
        let wanted = Wanted {
            program: &self.program,
            key: &self.key,
            kind: self.kind,
            order_id: self.order_id.as_deref(),
            fingerprint: &self.print,
            request: &self.request,
        };
        let store = &self.app.store;
        store.add_operation(tx, &wanted, state, result).await
    }

    /// Commits what was stored, wakes whoever carries it out, and answers.
    pub(crate) async fn end(
        self,
        tx: Write,
        operation: Option<Operation>,
    ) -> Result<Response, Ended> {
        tx.commit().await.map_err(Problem::from)?;
        self.app.wake.notify_one();
        match operation {
            Some(operation) => Ok(answer(StatusCode::ACCEPTED, &operation)),
            None => Ok(self.known().await?.ok_or_else(|| {
                ProblemKind::Internal.with("The operation was stored and cannot be read.")
            })?),
        }
    }

    /// The answer to a key that is known.
    async fn known(&self) -> Result<Option<Response>, Problem> {
        let store = &self.app.store;
        let Some(found) = store.operation_by_key(&self.program, &self.key).await? else {
            return Ok(None);
        };
        if found.fingerprint != self.print {
            return Err(ProblemKind::KeyReused
                .with(format!(
                    "Key {} has operation {}, which is another one.",
                    self.key, found.id
                ))
                .member("recorded_fingerprint", found.fingerprint.as_str())
                .member("presented_fingerprint", self.print.as_str()));
        }
        let mut response = answer(StatusCode::OK, &found);
        response
            .headers_mut()
            .insert("idempotent-replayed", HeaderValue::from_static("true"));
        Ok(Some(response))
    }
}
