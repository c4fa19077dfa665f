  -- keys: payments, charges, sequence, balance, lists. args: id, charge, payment.
  local id, charge, payment = args[1], args[2], read_payment(args[3])
  if tx.hget(keys[1], id) then
    return 'payment ' .. id .. ' is in the books already'
  end
  if tx.hget(keys[2], charge) then
    return 'charge ' .. charge .. ' is in the books already'
  end
  payment.sequence = tonumber(tx.get(keys[3]) or '0') + 1
  tx.set(keys[3], string.format('%.0f', payment.sequence))
  tx.hset(keys[1], id, write_payment(payment))
  tx.hset(keys[2], charge, id)
  for i = 5, #keys do
    tx.write('ZADD', keys[i], string.format('%.0f', payment.sequence), id)
  end
  add_to_balance(tx, keys[4], payment, 0, 0)
