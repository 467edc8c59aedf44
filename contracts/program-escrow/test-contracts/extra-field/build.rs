//! One more field in the stored program.

#[path = "../derive.rs"]
mod derive;

fn main() {
    derive::derive(&[
        (
            "types.rs",
            "    pub payout_count: u64,\n",
            "    pub payout_count: u64,\n    pub season: u32,\n",
        ),
        (
            "life.rs",
            "            payout_count: 0,\n",
            "            payout_count: 0,\n            season: 0,\n",
        ),
        (
            "legacy.rs",
            "            payout_count: 0,\n",
            "            payout_count: 0,\n            season: 0,\n",
        ),
    ]);
}
