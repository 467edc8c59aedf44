//! obligations
