-- Writes a payment and the sums of its currency. 'b' lists the currencies, 'b:CURRENCY' has the sums
-- of one. Computes everything before the first write: see complete_begin.lua.
local function book(tx, ledger, id, payment, captured_before, refunded_before)
  local fields = {'p:' .. id, write_payment(payment)}
  if payment.captured > 0 then
    local field = 'b:' .. payment.currency
    local sums = tx.hget(ledger, field)
    fields[3], fields[4] = field, add_to_sums(sums, payment.captured - captured_before,
      payment.refunded - refunded_before, captured_before == 0 and 1 or 0)
    if not sums then
      fields[5], fields[6] = 'b', (tx.hget(ledger, 'b') or '') .. payment.currency
    end
  end
  tx.hset(ledger, unpack(fields))
end

local function find_payment(tx, ledger, id)
  local text = tx.hget(ledger, 'p:' .. id)
  return text and read_payment(text)
end

local function find_authorised(tx, ledger, id, version)
  local payment = find_payment(tx, ledger, id)
  if payment and payment.version == version and payment.status == REQUIRES_CAPTURE then
    return payment
  end
end

local function not_authorised(id, version)
  return 'payment ' .. id .. ' is not at version ' .. version .. ' requiring capture'
end

local function touch(payment, at)
  payment.version = payment.version + 1
  payment.updated = math.max(payment.updated, at)
end
