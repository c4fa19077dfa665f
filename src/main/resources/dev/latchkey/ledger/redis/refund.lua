  -- keys: payments, balance, refunds, refunds by the PSP's id. args: payment, refund, the PSP's id,
  -- time, amount, what the PSP says was captured, the refund's text.
  local id, refund, psp_refund, at = args[1], args[2], args[3], tonumber(args[4])
  local amount, psp_captured = tonumber(args[5]), tonumber(args[6])
  if tx.hget(keys[3], refund) then
    return 'refund ' .. refund .. ' is in the books already'
  end
  if tx.hget(keys[4], psp_refund) then
    return 'PSP refund ' .. psp_refund .. ' is in the books already'
  end
  local payment = find_payment(tx, keys[1], id)
  if not payment then
    return 'there is no payment ' .. id
  end
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
  tx.hset(keys[1], id, write_payment(payment))
  tx.hset(keys[3], refund, args[7])
  tx.hset(keys[4], psp_refund, refund)
  add_to_balance(tx, keys[2], payment, captured_before, refunded_before)
