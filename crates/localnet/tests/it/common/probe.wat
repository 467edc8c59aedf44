;; A contract that uses as much of something as it is told to: what the limits are tried with.
;; Values of the host carry their kind in the low byte: 4 is U32, 2 is Void.
(module
  (import "b" "3" (func $bytes (param i64 i64) (result i64)))
  (import "v" "_" (func $empty_vec (result i64)))
  (import "x" "1" (func $event (param i64 i64) (result i64)))
  (import "l" "_" (func $put (param i64 i64 i64) (result i64)))
  (memory (export "memory") 3)

  ;; So many bytes from the start of the memory.
  (func $some_bytes (param $length i64) (result i64)
    (call $bytes (i64.const 4) (local.get $length)))

  ;; Returns so many bytes.
  (func (export "answer") (param $length i64) (result i64)
    (call $some_bytes (local.get $length)))

  ;; Emits an event of so many bytes.
  (func (export "emit") (param $length i64) (result i64)
    (drop (call $event (call $empty_vec) (call $some_bytes (local.get $length))))
    (i64.const 2))

  ;; Stores so many bytes in a persistent entry of the given key.
  (func (export "store") (param $key i64) (param $length i64) (result i64)
    (drop (call $put (local.get $key) (call $some_bytes (local.get $length)) (i64.const 1)))
    (i64.const 2))

  ;; Never ends.
  (func (export "spin") (result i64)
    (loop $again (br $again))
    (i64.const 2))

  ;; The environment's version: kind 0, protocol 28, no pre-release.
  (@custom "contractenvmetav0" "\00\00\00\00\00\00\00\1c\00\00\00\00"))
