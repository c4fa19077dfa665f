-- As effects.lua, for a single effect that refuses before it writes: writes are not staged.
local tx = {now = now}

function tx.get(key)
  return redis.call('GET', key) or nil
end

function tx.set(key, value)
  redis.call('SET', key, value)
end

function tx.hget(key, field)
  return redis.call('HGET', key, field) or nil
end

function tx.hmget(key, ...)
  return redis.call('HMGET', key, ...)
end

function tx.hset(key, ...)
  redis.call('HSET', key, ...)
end

function tx.write(...)
  redis.call(...)
end

local function effect(keys, args, tx)
