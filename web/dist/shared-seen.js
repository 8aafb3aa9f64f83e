function s(n,t,o=0){let e=new IntersectionObserver(r=>{r.some(i=>i.isIntersecting)&&(e.disconnect(),t())},{rootMargin:`${o}px`});return e.observe(n),()=>e.disconnect()}export{s as a};
