-- What the scripts of the ledger share. A payment begins with what Redis decides on: format,
-- status, disputed, amount, captured, refunded, version, updated, sequence, currency, length of the
-- closing key, length of what never changes; then the closing key, what never changes, and what the
-- client says. The last two are for Java alone.
local PAYMENT = '>BBBI8I8I8I8I8I8c3I2I4'
local PAYMENT_FORMAT = 1
local REQUIRES_CAPTURE, SUCCEEDED, CANCELED, PARTIALLY_REFUNDED, REFUNDED = 1, 2, 3, 4, 5

local function read_payment(text)
  if string.byte(text, 1) ~= PAYMENT_FORMAT then
    error('LATCHKEYVERSION a payment has version ' .. string.byte(text, 1))
  end
  local payment = {}
  local format, closing_length, fixed_length, at
  format, payment.status, payment.disputed, payment.amount, payment.captured, payment.refunded,
    payment.version, payment.updated, payment.sequence, payment.currency, closing_length,
    fixed_length, at = struct.unpack(PAYMENT, text)
  payment.closing = string.sub(text, at, at + closing_length - 1)
  payment.fixed = string.sub(text, at + closing_length, at + closing_length + fixed_length - 1)
  payment.texts = string.sub(text, at + closing_length + fixed_length)
  return payment
end

local function write_payment(payment)
  return struct.pack(PAYMENT, PAYMENT_FORMAT, payment.status, payment.disputed, payment.amount,
    payment.captured, payment.refunded, payment.version, payment.updated, payment.sequence,
    payment.currency, #payment.closing, #payment.fixed)
    .. payment.closing .. payment.fixed .. payment.texts
end
