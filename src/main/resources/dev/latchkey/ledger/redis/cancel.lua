  -- keys: ledger. args: id, version, time, derived key.
  local id, at = args[1], tonumber(args[3])
  local payment = find_authorised(tx, keys[1], id, tonumber(args[2]))
  if not payment then
    return not_authorised(id, args[2])
  end
  payment.status, payment.closing = CANCELED, args[4]
  touch(payment, at)
  book(tx, keys[1], id, payment, 0, 0)
