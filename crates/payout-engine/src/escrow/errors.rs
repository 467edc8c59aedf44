//! The contract's errors by number. A golden file of the contract holds the same names.

/// An error of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContractError {
    /// Its number.
    pub number: u32,
    /// Its name.
    pub name: &'static str,
    /// What it says.
    pub meaning: &'static str,
}

impl std::fmt::Display for ContractError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} {}: {}", self.number, self.name, self.meaning)
    }
}

/// The error with this number, if there is one.
#[must_use]
pub fn contract_error(number: u32) -> Option<ContractError> {
    CONTRACT_ERRORS
        .iter()
        .copied()
        .find(|error| error.number == number)
}

const fn error(number: u32, name: &'static str, meaning: &'static str) -> ContractError {
    ContractError {
        number,
        name,
        meaning,
    }
}

/// All of them, in the order of their numbers.
pub const CONTRACT_ERRORS: [ContractError; 42] = [
    error(100, "NotActive", "the program is not published, or closed"),
    error(
        101,
        "NotDraft",
        "the program is past its draft; this is for drafts alone",
    ),
    error(102, "NotClosed", "the program is not closed yet"),
    error(103, "AlreadyClosed", "the program is closed for good"),
    error(
        104,
        "InvalidProgramId",
        "a program's id is 1 to 64 of letters, digits, . _ and -",
    ),
    error(
        105,
        "NoProgram",
        "this instance has no program; one of the earlier layout is migrated first",
    ),
    error(
        200,
        "Unauthorized",
        "the caller does not have the role for it",
    ),
    error(
        201,
        "DelegateNotFound",
        "the caller is neither payout key nor delegate, or that address is no delegate",
    ),
    error(202, "DelegateExpired", "the delegate's time is over"),
    error(
        203,
        "DelegateAllowanceExceeded",
        "more than the delegate's allowance",
    ),
    error(
        204,
        "InvalidExpiry",
        "the expiry is past, or more than ten years ahead",
    ),
    error(205, "InvalidAllowance", "an allowance is more than nothing"),
    error(
        206,
        "OwnershipCannotBeRenounced",
        "an escrow without an owner would keep its money for ever",
    ),
    error(
        300,
        "InvalidIdempotencyKey",
        "a key is 1 to 256 of printable ASCII without blanks",
    ),
    error(
        301,
        "KeyVoided",
        "the key was voided: it has never paid and never will",
    ),
    error(
        302,
        "KeyAlreadyConsumed",
        "the key has paid, or was imported; its record says which",
    ),
    error(303, "TooManyKeys", "at most 30 keys at once"),
    error(
        400,
        "LengthMismatch",
        "recipients, amounts and references are of different lengths",
    ),
    error(401, "EmptyBatch", "there is no recipient"),
    error(402, "BatchTooLarge", "too many recipients for one payout"),
    error(403, "InvalidAmount", "an amount is more than nothing"),
    error(404, "DuplicateRecipient", "a recipient is there twice"),
    error(
        405,
        "InvalidRecipient",
        "neither the escrow nor the token's contract can be a recipient",
    ),
    error(
        406,
        "AmountOverflow",
        "the amounts add up to more than can be counted",
    ),
    error(
        407,
        "InsufficientBalance",
        "the escrow has less than that; lock more",
    ),
    error(408, "NothingReceived", "the token moved nothing"),
    error(500, "Paused", "it is paused"),
    error(501, "CircuitOpen", "the circuit breaker is open"),
    error(
        502,
        "OutflowLimitExceeded",
        "more than the outflow limit allows now",
    ),
    error(
        503,
        "PayoutTooLarge",
        "more than one recipient may get at once",
    ),
    error(
        504,
        "InvalidOutflowLimit",
        "a limit's capacity is at least its largest payout, that is more than nothing, and the refill is not negative",
    ),
    error(505, "NoFlagSet", "nothing was named to pause"),
    error(506, "ReasonTooLong", "a reason has at most 128 bytes"),
    error(
        600,
        "TokenTransferFailed",
        "the token refused the transfer: look at trustlines, their limits and authorisations, and the balance",
    ),
    error(
        700,
        "NothingToMigrate",
        "there is no program of the earlier layout here",
    ),
    error(2100, "OwnerNotSet", "there is no owner"),
    error(
        2101,
        "TransferInProgress",
        "a transfer of ownership is under way",
    ),
    error(2102, "OwnerAlreadySet", "there is an owner already"),
    error(
        2200,
        "NoPendingTransfer",
        "no new owner was proposed, or the time to accept is over",
    ),
    error(
        2201,
        "InvalidLiveUntilLedger",
        "that ledger is past, or further away than an entry may live",
    ),
    error(
        2202,
        "InvalidPendingAccount",
        "the proposal is of another address",
    ),
    error(2203, "TransferExpired", "the time to accept is over"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_are_the_contracts() {
        let golden =
            include_str!("../../../../contracts/program-escrow/testdata/golden/errors.txt");
        let theirs: Vec<(u32, &str)> = golden
            .lines()
            .map(|line| {
                let mut words = line.split_whitespace().skip(1);
                let number = words.next().and_then(|word| word.parse().ok());
                let name = words.next().and_then(|word| word.split_once("::"));
                (number.expect("a number"), name.expect("a name").1)
            })
            .collect();
        let ours: Vec<(u32, &str)> = CONTRACT_ERRORS
            .iter()
            .map(|error| (error.number, error.name))
            .collect();
        assert_eq!(ours, theirs);
        assert_eq!(
            contract_error(200).map(|error| error.name),
            Some("Unauthorized")
        );
        assert_eq!(contract_error(199), None);
    }
}
