local function add_to_balance(tx, key, payment, captured_before, refunded_before)
  if payment.captured == 0 then
    return
  end
  local captured, refunded = payment.captured - captured_before, payment.refunded - refunded_before
  if captured ~= 0 then
    tx.write('HINCRBY', key, payment.currency .. ':captured', string.format('%.0f', captured))
  end
  if refunded ~= 0 then
    tx.write('HINCRBY', key, payment.currency .. ':refunded', string.format('%.0f', refunded))
  end
  if captured_before == 0 then
    tx.write('HINCRBY', key, payment.currency .. ':payments', '1')
  end
end

local function find_payment(tx, key, id)
  local text = tx.hget(key, id)
  return text and read_payment(text)
end

local function find_open(tx, key, id, version)
  local payment = find_payment(tx, key, id)
  if payment and payment.version == version and payment.status == REQUIRES_CAPTURE then
    return payment
  end
end

local function not_open(id, version)
  return 'payment ' .. id .. ' is not at version ' .. version .. ' requiring capture'
end

local function touch(payment, at)
  payment.version = payment.version + 1
  payment.updated = math.max(payment.updated, at)
end
