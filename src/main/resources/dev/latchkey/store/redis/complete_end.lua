if complete then
  return complete()
end
redis.call('SET', key, struct.pack('>BI4BBI4I8', 1, bytes + #answer, 2, flags, attempt, now)
  .. string.sub(value, 20) .. answer, 'PXAT', expiry)
return {1, expiry, expiry - now}
