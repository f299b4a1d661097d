"""Names of time zones that people use and the time zone database lacks: abbreviations and large cities."""

from __future__ import annotations

from typing import Final

_BY_ZONE: Final = {
    # regions rather than fixed offsets: in summer people write PST and mean the local time
    "America/Los_Angeles": "pst pdt pt san_francisco seattle san_diego 洛杉矶 旧金山 西雅图",
    "America/Denver": "mst mdt mt",
    "America/Chicago": "cdt ct houston dallas austin 芝加哥",  # CST is China's time, too
    "America/New_York": "est edt et boston washington miami philadelphia atlanta 纽约 波士顿 华盛顿",
    "America/Toronto": "ottawa 多伦多",
    "America/Vancouver": "温哥华",
    "America/Sao_Paulo": "brt rio rio_de_janeiro",
    "Europe/London": "bst manchester edinburgh 伦敦",
    "Europe/Berlin": "cest mez mesz munich münchen hamburg frankfurt cologne köln 柏林 慕尼黑",
    "Europe/Paris": "lyon 巴黎",
    "Europe/Rome": "milan 罗马",
    "Europe/Madrid": "barcelona 马德里",
    "Europe/Zurich": "geneva 苏黎世",
    "Europe/Moscow": "msk 莫斯科",
    "Asia/Shanghai": "beijing shenzhen guangzhou chengdu hangzhou nanjing wuhan china"
    " 中国 北京 上海 广州 深圳 成都 重庆 杭州 南京 武汉 西安 天津",
    "Asia/Hong_Kong": "hkt 香港",
    "Asia/Macau": "澳门",
    "Asia/Taipei": "台北 臺北 台湾 臺灣",
    "Asia/Singapore": "sgt 新加坡",
    "Asia/Kuala_Lumpur": "吉隆坡",
    "Asia/Tokyo": "jst osaka 东京 大阪",
    "Asia/Seoul": "kst 首尔",
    "Asia/Kolkata": "mumbai delhi new_delhi bangalore india",
    "Australia/Sydney": "aest aedt canberra 悉尼",
    "Australia/Melbourne": "墨尔本",
}

ALIASES: Final = {name: zone for zone, names in _BY_ZONE.items() for name in names.split()}
"""Zones by further names: casefolded, with underscores for spaces."""
