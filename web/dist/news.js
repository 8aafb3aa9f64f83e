import{a,b as s,c as o}from"./shared-news.js";export{a as followNews,o as lastSeen,s as markElsewhere};
