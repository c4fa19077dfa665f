if complete then
  return complete()
end
redis.call('SET', key, struct.pack('>BI4BBI4I8I8I8', 1, bytes + #answer, 2, flags, attempt, now,
  expiry, created) .. string.sub(value, 36) .. answer, 'PXAT', expiry)
return {1, expiry, expiry - now}
