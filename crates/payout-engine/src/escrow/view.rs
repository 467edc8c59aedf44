//! Views: simulated, never sent.

use payout_keys::{ContractId, Recipient};
use stellar_xdr::{ReadXdr, ScVal};

use super::error::EscrowError;
use crate::envelope::{call, draft};
use crate::rpc::{Client, LIMITS, RpcError, Simulated};

/// The source of simulations that need none. Nobody has its key, and it need not exist.
pub(crate) const NOBODY: Recipient = Recipient::Account([0; 32]);

/// Asks a contract's view.
pub(super) async fn view(
    client: &Client,
    contract: ContractId,
    function: &'static str,
    arguments: Vec<ScVal>,
) -> Result<ScVal, EscrowError> {
    let unreadable = |why: String| RpcError::Unreadable {
        method: "simulateTransaction",
        why,
    };
    let envelope = call(contract, function, arguments)
        .and_then(|call| draft(NOBODY, 1, call))
        .map_err(|error| unreadable(error.to_string()))?;
    let success = match client.simulate(&envelope).await? {
        Simulated::Success(success) => success,
        Simulated::Refused { error, .. } => {
            return Err(EscrowError::ViewRefused {
                contract,
                function,
                error: error.chars().take(300).collect(),
            });
        }
    };
    let returned = success
        .returned
        .ok_or_else(|| unreadable("nothing was returned".to_owned()))?;
    Ok(ScVal::from_xdr_base64(returned, LIMITS).map_err(|error| unreadable(error.to_string()))?)
}
