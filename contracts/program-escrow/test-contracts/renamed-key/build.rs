//! Another name for the ledger key of records.

#[path = "../derive.rs"]
mod derive;

fn main() {
    derive::derive(&[
        (
            "storage.rs",
            "    IdempotencyKey(BytesN<32>),\n",
            "    ConsumedKey(BytesN<32>),\n",
        ),
        (
            "storage.rs",
            ".get(&DataKey::IdempotencyKey(",
            ".get(&DataKey::ConsumedKey(",
        ),
        (
            "storage.rs",
            ".set(&DataKey::IdempotencyKey(",
            ".set(&DataKey::ConsumedKey(",
        ),
    ]);
}
