//! One more optional entry and a view on it. A field of a stored struct could not be optional: an
//! entry without it does not decode, `Option` or not.

#[path = "../derive.rs"]
mod derive;

fn main() {
    derive::derive(&[
        (
            "storage.rs",
            "    IdempotencyKey(BytesN<32>),\n",
            "    IdempotencyKey(BytesN<32>),\n    /// Instance, optional: a note to the program.\n    EscrowNote,\n",
        ),
        (
            "contract/mod.rs",
            "    /// Most recipients of one payout.\n",
            "    /// Tells this version from the first.\n    pub fn note(env: Env) -> Option<String> {\n        env.storage().instance().get(&storage::DataKey::EscrowNote)\n    }\n\n    /// Most recipients of one payout.\n",
        ),
    ]);
}
