;; The source of count-differing.wasm: a processor counts the set bits of 64 in one step, which JavaScript has no word for.
;; A test assembles it and compares.
(module
  ;; 512 KiB: the wanted signs, those of vectors, and how many of them differ. Which stands where is the caller's choice.
  (memory (export "memory") 8)
  ;; Writes for each vector from $at to $end the number of signs in which it differs from the wanted one, as 16 bits each.
  ;; A vector has a multiple of 16 bytes.
  (func (export "countDiffering")
    (param $wanted i32) (param $at i32) (param $end i32) (param $bytesEach i32) (param $into i32)
    (local $differing i64)
    (local $byte i32)
    (block $done
      (loop $vector
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $differing (i64.const 0))
        (local.set $byte (i32.const 0))
        (loop $sixteen
          (local.set $differing
            (i64.add
              (local.get $differing)
              (i64.add
                (i64.popcnt
                  (i64.xor
                    (i64.load (i32.add (local.get $at) (local.get $byte)))
                    (i64.load (i32.add (local.get $wanted) (local.get $byte)))))
                (i64.popcnt
                  (i64.xor
                    (i64.load offset=8 (i32.add (local.get $at) (local.get $byte)))
                    (i64.load offset=8 (i32.add (local.get $wanted) (local.get $byte))))))))
          (local.set $byte (i32.add (local.get $byte) (i32.const 16)))
          (br_if $sixteen (i32.lt_u (local.get $byte) (local.get $bytesEach))))
        (i64.store16 (local.get $into) (local.get $differing))
        (local.set $into (i32.add (local.get $into) (i32.const 2)))
        (local.set $at (i32.add (local.get $at) (local.get $bytesEach)))
        (br $vector)))))
