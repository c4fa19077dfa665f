  -- keys: ledger. args: id, version, time, derived key, amount.
  local id, at, amount = args[1], tonumber(args[3]), tonumber(args[5])
  local payment = find_authorised(tx, keys[1], id, tonumber(args[2]))
  if not payment then
    return not_authorised(id, args[2])
  end
  if amount > payment.amount then
    return 'capture of ' .. args[5] .. ' is more than was authorised'
  end
  payment.status, payment.captured, payment.closing = SUCCEEDED, amount, args[4]
  touch(payment, at)
  book(tx, keys[1], id, payment, 0, 0)
