if complete then
  return complete()
end
redis.call('SET', key, struct.pack('>BI4BBI4I8I8I8', 1, bytes + #response, 2, flags, attempt, now,
  expiry, created) .. string.sub(value, 36) .. response, 'PXAT', expiry)
return {1, expiry, expiry - now}
