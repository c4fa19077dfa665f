  -- keys: ledger. args: id, charge, idempotency key, customer (after a colon, or ''), currency,
  -- captured, refunded, the payment without its links.
  local ledger, id, charge = keys[1], args[1], args[2]
  local of_payment, of_charge, of_key = 'p:' .. id, 'c:' .. charge, 'k:' .. args[3]
  local of_customer, of_currency = 'u' .. args[4], 'b:' .. args[5]
  local known = tx.hmget(ledger, of_payment, of_charge, of_key, of_customer, 'l', of_currency)
  if known[1] then
    return 'payment ' .. id .. ' is in the ledger already'
  end
  if known[2] then
    return 'charge ' .. charge .. ' is in the ledger already'
  end
  local before, before_of_key, before_of_customer = known[5] or '', known[3] or '', known[4] or ''
  local payment = struct.pack('>BI2I2I2', 2, #before, #before_of_key, #before_of_customer)
    .. before .. before_of_key .. before_of_customer .. args[8]
  local captured = tonumber(args[6])
  local fields = {of_payment, payment, of_charge, id, of_key, id, 'l', id}
  if args[4] ~= '' then
    fields[9], fields[10] = of_customer, id
  end
  if captured > 0 then
    local count = #fields
    fields[count + 1] = of_currency
    fields[count + 2] = add_to_sums(known[6], captured, tonumber(args[7]), 1)
    if not known[6] then
      fields[count + 3], fields[count + 4] = 'b', (tx.hget(ledger, 'b') or '') .. args[5]
    end
  end
  tx.hset(ledger, unpack(fields))
