-- Shared by the scripts of the ledger. A payment consists of its format and three links: the ids of
-- the payment booked before it, of the one before it by the same idempotency key, and of the one
-- before it of the same customer, each after its length and empty for none. Then the fields that
-- scripts use: status, disputed, amount, captured, refunded, version, updated, currency, lengths of
-- closing key, idempotency key, customer and constant part; then these, and the amendable part. The
-- constant and the amendable part are opaque here.
local LINKS = '>BI2I2I2'
local PAYMENT = '>BBI8I8I8I8I8c3I2I2I2I4'
local PAYMENT_FORMAT = 2
local REQUIRES_CAPTURE, SUCCEEDED, CANCELED, PARTIALLY_REFUNDED, REFUNDED = 1, 2, 3, 4, 5

local function read_payment(text)
  if string.byte(text, 1) ~= PAYMENT_FORMAT then
    error('LATCHKEYVERSION a payment has version ' .. string.byte(text, 1))
  end
  local format, before, before_of_key, before_of_customer, at = struct.unpack(LINKS, text)
  local link_lengths = {before, before_of_key, before_of_customer}
  local head = at + before + before_of_key + before_of_customer
  local links = string.sub(text, 1, head - 1)
  local payment = {links = links, link_lengths = link_lengths, links_at = at}
  local closing_length
  payment.status, payment.disputed, payment.amount, payment.captured, payment.refunded,
    payment.version, payment.updated, payment.currency, closing_length, payment.key_length,
    payment.customer_length, payment.fixed_length, at = struct.unpack(PAYMENT, text, head)
  local fixed = at + closing_length
  local texts = fixed + payment.key_length + payment.customer_length + payment.fixed_length
  payment.closing = string.sub(text, at, fixed - 1)
  payment.fixed = string.sub(text, fixed, texts - 1)
  payment.texts = string.sub(text, texts)
  return payment
end

local function write_payment(payment)
  return payment.links .. struct.pack(PAYMENT, payment.status, payment.disputed, payment.amount,
    payment.captured, payment.refunded, payment.version, payment.updated, payment.currency,
    #payment.closing, payment.key_length, payment.customer_length, payment.fixed_length)
    .. payment.closing .. payment.fixed .. payment.texts
end
