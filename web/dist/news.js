import{b as s,c as e,d as o}from"./shared-news.js";export{s as followNews,o as lastSeen,e as markElsewhere};
