  -- keys: ledger. args: payment, refund, the PSP's id, time, amount, amount captured at the PSP, the
  -- encoded refund.
  local ledger, id, refund, psp_refund, at = keys[1], args[1], args[2], args[3], tonumber(args[4])
  local amount, psp_captured = tonumber(args[5]), tonumber(args[6])
  local newest = 'h:' .. id
  local known = tx.hmget(ledger, 'r:' .. refund, 's:' .. psp_refund, 'p:' .. id, newest)
  if known[1] then
    return 'refund ' .. refund .. ' is in the ledger already'
  end
  if known[2] then
    return 'PSP refund ' .. psp_refund .. ' is in the ledger already'
  end
  if not known[3] then
    return 'there is no payment ' .. id
  end
  local payment = read_payment(known[3])
  local captured_before, refunded_before = payment.captured, payment.refunded
  if payment.status == REQUIRES_CAPTURE and psp_captured > 0 and psp_captured <= payment.amount then
    payment.captured = psp_captured
  end
  if amount > payment.captured - payment.refunded then
    return 'refund of ' .. args[5] .. ' is more than is left of the capture'
  end
  payment.refunded = payment.refunded + amount
  payment.status = payment.refunded == payment.captured and REFUNDED or PARTIALLY_REFUNDED
  touch(payment, at)
  book(tx, ledger, id, payment, captured_before, refunded_before)
  local fields = {'r:' .. refund, args[7], 's:' .. psp_refund, refund, newest, refund}
  if known[4] then
    fields[7], fields[8] = 'o:' .. refund, known[4]
  end
  tx.hset(ledger, unpack(fields))
