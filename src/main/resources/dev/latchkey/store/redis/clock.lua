-- The clock of the server decides leases and expiry, in milliseconds since 1970.
local time_of_day = redis.call('TIME')
local now = time_of_day[1] * 1000 + math.floor(time_of_day[2] / 1000)
