//! Keys from outside: the shared vectors, and properties.

mod derivation;
mod limits;
mod reading;
mod values;
mod vectors;
