//! Reading before a run: asked again where a node fails, as often as makes sense.

use std::time::Duration;

use payout_engine::nodes::Nodes;
use payout_engine::rpc::Client;

/// How often a whole reading is tried. A reading is some ten calls.
const TRIES: u32 = 20;

/// Tries after which it is said why nothing goes on.
const SAID: u32 = 4;

/// Asks until there is an answer, each node in turn. Errors for which `lasting` holds are answers, too.
pub(crate) async fn patiently<T, E: std::fmt::Display>(
    nodes: &Nodes,
    poll: u64,
    lasting: impl Fn(&E) -> bool,
    mut ask: impl AsyncFnMut(&Client) -> Result<T, E>,
) -> Result<T, E> {
    let mut clients = nodes.clients().iter().cycle();
    let mut tries = 0;
    loop {
        // There is at least one node, and it comes round for ever.
        let client = clients.next().unwrap_or(nodes.client());
        match ask(client).await {
            Err(error) if !lasting(&error) && tries < TRIES => {
                tries += 1;
                if tries.is_multiple_of(SAID) {
                    eprintln!(
                        "waiting for a node that answers ({tries} of {TRIES} tries): {error}"
                    );
                }
                let wait = poll.saturating_mul(u64::from(tries)).min(5_000);
                tokio::time::sleep(Duration::from_millis(wait)).await;
            }
            answer => return answer,
        }
    }
}
