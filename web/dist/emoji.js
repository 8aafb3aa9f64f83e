import{a,b,c,d,e,f,g,h}from"./shared-emoji-names.js";export{b as all,d as byCode,e as byWords,a as groups,c as popular,g as tones,f as withCode,h as withTone};
