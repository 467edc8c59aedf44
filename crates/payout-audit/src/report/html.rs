//! One page that needs nothing else: no script, no style and no picture from elsewhere.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{Report, chart};
use crate::checks::Evidence;
use crate::listing::Notice;
use crate::verdict::Outcome;

/// Notices of a kind that the page shows; JSON and CSV have all.
const SHOWN: usize = 500;

/// Where a block explorer shows ledgers and transactions.
#[derive(Debug, Clone, Default)]
pub struct Links {
    explorer: Option<String>,
}

impl Links {
    /// An explorer whose pages are `base/tx/HASH` and `base/ledger/NUMBER`. `None` where `base` is no
    /// http address.
    #[must_use]
    pub fn to(base: &str) -> Option<Self> {
        let web = base.starts_with("https://") || base.starts_with("http://");
        web.then(|| Self {
            explorer: Some(base.trim_end_matches('/').to_owned()),
        })
    }

    fn link(&self, kind: &str, what: &str, shown: &str) -> Markup {
        html! {
            @match &self.explorer {
                Some(base) => a href={ (base) "/" (kind) "/" (what) } rel="noreferrer" { (shown) },
                None => (shown),
            }
        }
    }
}

const STYLE: &str = include_str!("report.css");

impl Report {
    /// The report as a page.
    #[must_use]
    pub fn html(&self, links: &Links) -> String {
        let title = format!("Audit of {}", self.scope.subject.contract);
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (title) }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    main {
                        p.verdict.(self.verdict.name()) { strong { (self.verdict.name()) } }
                        h1 { (title) }
                        p { (self.headline()) }
                        p { "Digest " code { (hex::encode(self.digest)) } }
                        p {
                            a href="#findings" { (self.findings.len()) " findings" }
                            ", " a href="#checks" { (self.checks.len()) " checks" }
                        }
                        (self.scope_section())
                        (self.charts())
                        @for (kind, heading) in LISTS {
                            (self.notices(kind, heading, links))
                        }
                        (self.other_notices(links))
                        (self.findings_section(links))
                        (self.checks_section())
                    }
                }
            }
        }
        .into_string()
    }

    fn scope_section(&self) -> Markup {
        html! {
            h2 { "What it covers" }
            dl {
                @for (name, value) in self.scope.lines() {
                    dt { (name) }
                    dd { (value) }
                }
            }
        }
    }

    fn checks_section(&self) -> Markup {
        html! {
            h2 id="checks" { "Checks" }
            @for check in &self.checks {
                details {
                    summary {
                        span.outcome.(class(check.outcome)) { (check.outcome.name()) }
                        " " code { (check.about.id) } " " (check.about.asks)
                    }
                    p { (check.text) }
                    p { b { "It proves: " } (check.about.proves) }
                    p { b { "It does not prove: " } (check.about.not) }
                    p { "Exit code where it is refuted: " (check.about.code) }
                }
            }
        }
    }

    fn findings_section(&self, links: &Links) -> Markup {
        html! {
            h2 id="findings" { "Findings" }
            @if self.findings.is_empty() {
                p { "None." }
            }
            @for finding in &self.findings {
                section.finding {
                    p {
                        span.outcome.(class(finding.outcome)) { (finding.outcome.name()) }
                        " " code { (finding.check) } " " (finding.text)
                    }
                    (place(&finding.evidence, links))
                }
            }
        }
    }

    fn charts(&self) -> Markup {
        let balance = chart::balance(&self.listing.days);
        let activity = chart::activity(&self.listing.days);
        html! {
            @if let Some(svg) = balance {
                h2 { "Balance over time" }
                p { "What remained in the books at the end of each day, in the token's smallest unit." }
                figure { (PreEscaped(svg)) }
            }
            @if let Some(svg) = activity {
                h2 { "Payouts and retries per day" }
                p { "Blue: payouts. Orange: replays, which are retries that paid nothing." }
                figure { (PreEscaped(svg)) }
            }
        }
    }

    fn notices(&self, kind: &str, heading: &str, links: &Links) -> Markup {
        let found: Vec<&Notice> = self
            .listing
            .notices
            .iter()
            .filter(|notice| notice.kind == kind)
            .collect();
        let count = self.listing.counts.get(kind).copied().unwrap_or(0);
        html! {
            h2 { (heading) " (" (count) ")" }
            (list(&found, links, false))
        }
    }

    fn other_notices(&self, links: &Links) -> Markup {
        let found: Vec<&Notice> = self
            .listing
            .notices
            .iter()
            .filter(|notice| LISTS.iter().all(|(kind, _)| *kind != notice.kind))
            .collect();
        html! {
            h2 { "Money in and out, roles, brakes and code (" (found.len()) ")" }
            (list(&found, links, true))
        }
    }
}

/// Kinds with a list of their own.
const LISTS: [(&str, &str); 4] = [
    ("replay", "Replays"),
    ("conflict", "Conflicts"),
    ("void", "Voids"),
    ("import", "Imports"),
];

fn list(found: &[&Notice], links: &Links, kinds: bool) -> Markup {
    html! {
        @for notice in found.iter().take(SHOWN) {
            section.notice {
                p {
                    (notice.closed) " "
                    @if kinds { code { (notice.kind) } " " }
                    (notice.text)
                }
                (place(&notice.evidence, links))
            }
        }
        @if found.len() > SHOWN {
            p { "And " (found.len() - SHOWN) " more, in the JSON and CSV reports." }
        }
    }
}

fn place(evidence: &Evidence, links: &Links) -> Markup {
    html! {
        p.evidence {
            @if let Some(ledger) = evidence.ledger {
                span { "ledger " (links.link("ledger", &ledger.to_string(), &ledger.to_string())) }
            }
            @if let Some(hash) = &evidence.transaction {
                span { "transaction " code { (links.link("tx", hash, hash)) } }
            }
            @if let Some(event) = &evidence.event {
                span { "event " code { (event) } }
            }
            @if let Some(key) = &evidence.key {
                span { "key " code { (key) } }
            }
            @if let Some(entry) = &evidence.entry {
                span { "entry " code { (entry) } }
            }
        }
    }
}

fn class(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Proven => "clean",
        Outcome::Undetermined => "undetermined",
        Outcome::Refuted => "refuted",
        Outcome::NotAsked => "not-asked",
    }
}
