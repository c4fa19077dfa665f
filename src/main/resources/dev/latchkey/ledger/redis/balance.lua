-- Adds to the sums of a currency: captured and refunded, each as a multiple of 1e15 and a remainder,
-- since numbers in Lua are exact up to 2^53 only; and the number of captured payments. `sums` is nil
-- for a new currency.
local function add_to_sums(sums, captured, refunded, payments)
  local captured_high, captured_low, refunded_high, refunded_low, count = 0, 0, 0, 0, 0
  if sums then
    captured_high, captured_low, refunded_high, refunded_low, count =
      struct.unpack('>I8I8I8I8I8', sums)
  end
  captured_low, refunded_low = captured_low + captured, refunded_low + refunded
  if captured_low >= 1e15 then
    captured_high, captured_low = captured_high + 1, captured_low - 1e15
  end
  if refunded_low >= 1e15 then
    refunded_high, refunded_low = refunded_high + 1, refunded_low - 1e15
  end
  return struct.pack('>I8I8I8I8I8', captured_high, captured_low, refunded_high, refunded_low,
    count + payments)
end
