//! Two people approve a payout: offers built on one machine, signed on others, submitted by whoever
//! has them all.

mod contract;
mod flows;
mod once;
mod scene;
mod tampered;
