//! No entrypoint `upgrade`.

#[path = "../derive.rs"]
mod derive;

fn main() {
    derive::derive(&[(
        "contract/ownership.rs",
        "#[contractimpl]\nimpl Upgradeable for",
        "impl Upgradeable for",
    )]);
}
