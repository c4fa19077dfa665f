  local record, there = load_held(key, claim)
  if has_ended(there, claim, COMPLETED) then
    return {1, there.expiry, left_of(there)}
  end
  if not record then
    return {2}
  end
  function complete()
    record.phase = COMPLETED
    record.lease_end = now
    if now >= record.expiry then
      record.expiry = now + ARGV[2]
    end
    notify(record)
    put_tail(record, '', response)
    save_record(record)
    return {1, record.expiry, left_of(record)}
  end
end
