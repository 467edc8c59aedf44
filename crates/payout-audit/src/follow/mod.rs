//! What nodes give: events into the archive, and the contract's state and records.

mod error;
mod evidence;
mod nodes;
mod recheck;
mod scan;
mod state;

pub use error::FollowError;
pub use nodes::Nodes;
pub use recheck::recheck;
pub use scan::{Followed, Plan, follow};
pub use state::{discover, read_records};
