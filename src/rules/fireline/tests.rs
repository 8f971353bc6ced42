//! Laws, agreement of the engines, and figures worked out elsewhere.
