-- For nginx's access phase: checks the key, counts the request, sets the quota's headers, and names the file to send.
-- Keys and counts are in shared memory alone. One worker runs this without a pause, so counts are exact until it ends.
local keys, counts = ngx.shared.keys, ngx.shared.counts

local function refuse(status, message)
  local body = '{"success":false,"message":"' .. message .. '"}'
  local headers = ngx.header
  headers["Cache-Control"], headers["Content-Type"] = "no-store", "application/json; charset=utf-8"
  headers["Content-Length"], ngx.status = #body, status
  ngx.print(body)
  return ngx.exit(ngx.HTTP_OK)
end

return function(address_limit, minute_limit)
  return function()
    local now, headers, var = ngx.time(), ngx.header, ngx.var
    local sent = var.http_authorization or var.http_x_api_key
    local account, limit
    if sent then account, limit = keys:get(sent) end -- The flags of a key are its daily limit.
    local principal = account or var.remote_addr
    limit = limit or address_limit
    local midnight, minute_end = now - now % 86400 + 86400, now - now % 60 + 60
    local day, minute = principal .. midnight, principal .. ":" .. minute_end
    local used, minute_used = counts:get(day) or 0, counts:get(minute) or 0
    local is_refused = used >= limit or minute_used >= minute_limit
    if not is_refused then
      used, minute_used = counts:incr(day, 1, 0, 172800), counts:incr(minute, 1, 0, 120)
    end
    headers["X-Quota-Limit"], headers["X-Quota-Used"] = limit, used
    headers["X-Quota-Remaining"], headers["X-Quota-Reset"] = limit - used, midnight
    headers["RateLimit-Policy"] = '"daily";q=' .. limit .. ';w=86400, "minute";q=' .. minute_limit .. ";w=60"
    headers["RateLimit"] = '"daily";r=' .. limit - used .. ";t=" .. midnight - now
      .. ', "minute";r=' .. minute_limit - minute_used .. ";t=" .. minute_end - now
    if is_refused then
      headers["Retry-After"] = midnight - now
      return refuse(429, "The limit of " .. limit .. " requests is reached.")
    elseif sent and not account then
      headers["WWW-Authenticate"] = 'Bearer realm="nginx"'
      return refuse(401, "This key is invalid or was revoked.")
    end
    var.file = ngx.md5(var.request_uri)
  end
end
