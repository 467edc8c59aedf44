;; A token with rules of its own: it holds 1,000 units for whoever asks, gives them away, refuses to
;; move 13 at once, and never falls below 900.
;; Values of the host carry their kind in the low byte: 4 is U32, 2 is Void, 1 is true, 11 is a small I128.
(module
  (import "l" "_" (func $put (param i64 i64 i64) (result i64)))
  (import "l" "0" (func $has (param i64 i64) (result i64)))
  (import "l" "1" (func $get (param i64 i64) (result i64)))

  (func (export "decimals") (result i64)
    (i64.or (i64.shl (i64.const 2) (i64.const 32)) (i64.const 4)))

  ;; What is left, in the instance's storage.
  (func $held (result i64)
    (if (result i64) (i64.eq (call $has (i64.const 4) (i64.const 2)) (i64.const 1))
      (then (call $get (i64.const 4) (i64.const 2)))
      (else (i64.or (i64.shl (i64.const 1000) (i64.const 8)) (i64.const 11)))))

  (func (export "balance") (param $of i64) (result i64)
    (call $held))

  (func (export "transfer") (param $from i64) (param $to i64) (param $amount i64) (result i64)
    (local $left i64)
    (local.set $left
      (i64.sub (i64.shr_s (call $held) (i64.const 8)) (i64.shr_s (local.get $amount) (i64.const 8))))
    (if (i64.eq (i64.shr_s (local.get $amount) (i64.const 8)) (i64.const 13)) (then (unreachable)))
    (if (i64.lt_s (local.get $left) (i64.const 900)) (then (unreachable)))
    (drop (call $put
      (i64.const 4)
      (i64.or (i64.shl (local.get $left) (i64.const 8)) (i64.const 11))
      (i64.const 2)))
    (i64.const 2))

  ;; The environment's version: kind 0, protocol 28, no pre-release.
  (@custom "contractenvmetav0" "\00\00\00\00\00\00\00\1c\00\00\00\00"))
