//! The contract against a plain model of what it promises. Random sequences of everything that can
//! happen to a program run on both, and are compared after each step: by the property tests of this
//! crate and by the fuzz target in `fuzz/`.
//!
//! | Module | Idea |
//! | --- | --- |
//! | [`choices`], [`command`] | what may happen, small and rich in collisions |
//! | [`value`] | what goes over the boundary, without a host |
//! | [`model`] | the promise, in maps and integers |
//! | [`run`] | both, step by step, and what must always hold |

pub mod choices;
pub mod command;
pub mod model;
pub mod run;
pub mod value;
