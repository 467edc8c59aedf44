//! What every page has.

use axum::http::StatusCode;
use axum::response::{Html, IntoResponse as _, Response};
use maud::{DOCTYPE, Markup, html};

use crate::problem::{Problem, ProblemKind};

const PLACES: [(&str, &str); 4] = [
    ("/operator/payouts", "Payouts"),
    ("/operator/programs", "Programs"),
    ("/operator/findings", "Findings"),
    ("/operator/audit", "Audit log"),
];

/// A page for somebody who is logged in.
pub(super) fn page(here: &str, title: &str, content: &Markup) -> Response {
    let navigation = html! {
        nav aria-label="Pages" {
            ul {
                @for (place, name) in PLACES {
                    li { a href=(place) aria-current=[(place == here).then_some("page")] { (name) } }
                }
            }
        }
        form method="post" action="/operator/logout" { button { "Log out" } }
    };
    whole(title, &navigation, content)
}

/// A page for anybody.
pub(super) fn whole(title: &str, navigation: &Markup, content: &Markup) -> Response {
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " – payout gateway" }
                link rel="stylesheet" href="/operator/style.css";
            }
            body {
                a.skip href="#content" { "Skip to the content" }
                header { strong { "Payout gateway" } (navigation) }
                main #content {
                    h1 { (title) }
                    (content)
                }
            }
        }
    };
    Html(markup.into_string()).into_response()
}

/// A refusal, as a page.
pub(super) struct PageProblem(Problem);

impl<E: Into<Problem>> From<E> for PageProblem {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl axum::response::IntoResponse for PageProblem {
    fn into_response(self) -> Response {
        let problem = self.0;
        let status = match problem.kind {
            ProblemKind::Unauthorized => StatusCode::UNAUTHORIZED,
            kind => kind.status(),
        };
        let content = html! {
            p.alert { (problem.detail) }
            p { a href="/operator/payouts" { "Payouts" } }
        };
        let mut response = whole(problem.kind.title(), &html! {}, &content);
        *response.status_mut() = status;
        response
    }
}
