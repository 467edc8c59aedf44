//! The planner: the cases of the design, two machines on one chain, and random histories.

mod chain;
mod machines;
mod planning;
mod random;
